"""Parts shared by all methods of symbol spotting: query models, features, the interface."""
