"""The owner's page: staff settings, actions, jobs and figures in a browser, behind a code that a display shows."""
