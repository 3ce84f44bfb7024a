"""Staff at the table: menu, actions and requests, and the root jobs behind them."""
