/**
 * What the HTTP side knows whatever carries it: the key's syntax, which answers are stored and how, problem types. For users
 * and for authors of an adapter; the servlet adapter is in {@code io.idem.http.servlet}.
 */
@NullMarked
package io.idem.http;

import org.jspecify.annotations.NullMarked;
