/**
 * What the HTTP side knows whatever carries it: the key's syntax, routes and their options, whose key it is, which answers are stored
 * and how, problem types. For users and for authors of an adapter; the servlet adapter is in {@code io.idem.http.servlet}.
 */
@NullMarked
package io.idem.http;

import org.jspecify.annotations.NullMarked;
