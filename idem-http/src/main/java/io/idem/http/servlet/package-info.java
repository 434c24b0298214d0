/** Functional endpoints of Spring MVC: {@link io.idem.http.servlet.IdempotencyHandlerFilter} protects their routes. */
@NullMarked
package io.idem.http.servlet;

import org.jspecify.annotations.NullMarked;
