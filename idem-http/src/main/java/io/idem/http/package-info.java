/**
 * What the HTTP side knows whatever carries it: the key's syntax, routes and their options, whose key it is, which answers are stored
 * and how, problem types. Start with {@link io.idem.http.Idempotent} for annotated handlers, and {@link io.idem.http.IdempotentRoute} for
 * routes declared in code.
 */
@NullMarked
package io.idem.http;

import org.jspecify.annotations.NullMarked;
