"""Browser policies: a keyboard at the TV reaches only the table's page.

`dudo-table kiosk` writes them before it starts the browser. `dudo-table-kiosk.service` shows the folder to its own
Chromium as /etc/chromium/policies, so other Chromiums keep their owner's policies.
"""

import json
from pathlib import Path
from urllib.parse import urlsplit

FILE = Path("managed/dudo-table-kiosk.json")
"""The file within a folder of policies."""
BLOCKED = ("*", "about:*", "chrome://*", "data:*", "devtools://*", "file://*", "javascript:*", "view-source:*")
"""Addresses blocked except for the page's: `*` does not include every scheme."""
FIXED: dict[str, object] = {
    "HomepageIsNewTabPage": False,
    "IncognitoModeAvailability": 1,  # disabled
    "DeveloperToolsAvailability": 2,  # disallowed
    "BrowserGuestModeEnabled": False,
    "BrowserAddPersonEnabled": False,
    "BrowserSignin": 0,  # disabled
    "SyncDisabled": True,
    "AllowFileSelectionDialogs": False,
    "DownloadRestrictions": 3,  # all
    "PrintingEnabled": False,
    "EditBookmarksEnabled": False,
    "ExtensionInstallBlocklist": ["*"],
    "PasswordManagerEnabled": False,
    "DefaultPopupsSetting": 2,  # blocked, as are those below
    "DefaultNotificationsSetting": 2,
    "AudioCaptureAllowed": False,
    "VideoCaptureAllowed": False,
    "ScreenCaptureAllowed": False,
    "TaskManagerEndProcessEnabled": False,
    "NetworkPredictionOptions": 2,  # no connection before an address is entered
    "SearchSuggestEnabled": False,
    "TranslateEnabled": False,
    "MetricsReportingEnabled": False,
}
"""Policies common to every page, https://chromeenterprise.google/policies."""


def policies(url: str) -> dict[str, object]:
    """Return the policies for a page. A new tab shows the page, too."""
    parts = urlsplit(url)
    allowed = f"{parts.scheme}://{parts.netloc}"
    pages = {"URLBlocklist": BLOCKED, "URLAllowlist": [allowed], "NewTabPageLocation": url, "HomepageLocation": url}
    return {**pages, **FIXED}


def write(folder: Path, url: str) -> None:
    """Write the policies for a page into a folder. Raises `OSError`."""
    file = folder / FILE
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(policies(url), indent=1) + "\n", encoding="utf-8")
