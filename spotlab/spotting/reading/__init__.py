"""Programs that read the text of a page; each module here that defines a `TextReader` is one."""
