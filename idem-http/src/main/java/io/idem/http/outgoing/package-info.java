/** The idempotency key travels on in outgoing HTTP calls: for users whose clients are not made by Spring Boot's builders. */
@NullMarked
package io.idem.http.outgoing;

import org.jspecify.annotations.NullMarked;
