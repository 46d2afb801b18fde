"""What a reader does with anything: refuse it in words, or have read something that can be written and read again."""

from worldwise.errors import InputError


def assert_refused_or_read_again(read, write, text):
    """Bad input is refused for a reason; what was read without one is the same once written and read."""
    try:
        found = read(text)
    except InputError as error:
        assert_says_why(str(error))
    else:
        assert read(write(found)) == found, f"{text!r} was read as {found!r}, which is not what is read again"


def assert_says_why(words):
    """An error says what was expected, or which names are known."""
    assert "expected" in words or "known: " in words, f"an error that does not say what was expected: {words}"
