/**
 * The servlet filter: start with {@code IdempotencyServletFilter}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.servlet;

import org.jspecify.annotations.NullMarked;
