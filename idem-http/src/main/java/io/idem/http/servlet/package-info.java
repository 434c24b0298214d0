/** Functional endpoints of Spring MVC. Start with {@link io.idem.http.servlet.IdempotencyHandlerFilter}, which protects their routes. */
@NullMarked
package io.idem.http.servlet;

import org.jspecify.annotations.NullMarked;
