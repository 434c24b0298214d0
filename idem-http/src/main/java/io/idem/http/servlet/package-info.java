/** The idempotency filter for servlet applications: for users who replace one of its parts or declare routes in code. */
@NullMarked
package io.idem.http.servlet;

import org.jspecify.annotations.NullMarked;
