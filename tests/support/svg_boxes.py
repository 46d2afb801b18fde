"""Where the parts of a figure stand, and text that no figure should break on."""

from worldwise.views.lettering import text_width

SVG = "{http://www.w3.org/2000/svg}"


HOSTILE = "</text><script>alert('&\"')</script>\x00\x1b[31m\ud800\ufffe\u202e\n]]>日本語🂡"


def of_class(svg, name):
    return [element for element in svg.iter() if name in element.get("class", "").split()]


def box(element):
    """Left, top, right, bottom of a rectangle or circle."""
    if element.tag == SVG + "circle":
        x, y, r = (float(element.get(key)) for key in ("cx", "cy", "r"))
        return x - r, y - r, x + r, y + r
    x, y, width, height = (float(element.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def text_box(element, size, anchor):
    width = text_width(element.text, size)
    left = float(element.get("x")) - {"start": 0, "middle": width / 2, "end": width}[anchor]
    base = float(element.get("y"))
    return left, base - 0.7 * size, left + width, base + 0.1 * size
