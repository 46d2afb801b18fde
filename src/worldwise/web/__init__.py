"""Worldwise in the browser: ``worldwise web`` serves pages on this machine, each with a JSON twin under ``/api``.

A new page is one module in ``pages`` and its three files in ``static``; nothing else knows it::

    pages/trees.py       its ``Page``: path, name in the navigation, files, and its endpoints (see ``endpoint``)
    pages/__init__.py    add it to ``PAGES``, in the order of the navigation
    static/trees.html    what stands inside ``<main>``; the frame around it is ``static/frame.html``
    static/trees.css     what ``base.css`` has not got; its colours and lengths are the custom properties there
    static/trees.js      an ES module; ``ask`` of ``api.js`` puts a question, ``el`` of ``dom.js`` makes elements

An endpoint is a path, the fields of its input and a generator function ``work``, which gets the fields as keyword
arguments and yields dictionaries of what ``views`` made. It runs in a process of its own (``searches``): at most so
many at once, and apart from them so many that are ``long``; the others wait, and it is killed when the client leaves or
its seconds are over. Whoever accepts ``text/event-stream`` gets every dictionary as it is yielded, and is told how long
the queue is; everybody else gets the last one. An ``InputError`` becomes a clean 400. So a page holds no logic, reads
no file that a request names, and needs no word of HTTP.

::

    cli.web -> server   the socket, uvicorn, the browser
               connections  how long a connection may keep silent, and which one goes when there are too many
               app       puts the parts together: ``create_app``
               guard     who may ask, how much, and the headers of every answer
               access    the token that a server asks for which others can reach
               answers   a request's way from its fields to its JSON or events; what was found is kept
               searches  the workers and the queue before them
               store     what is remembered between requests, such as a game whose board is hidden
               files     the packaged files, read once
               doors     endpoints that belong to no page: for other programs
               openapi   the table of endpoints for programs
               endpoint  what a page and an endpoint are
               fields    what inputs may be: read and described by the same record
"""
