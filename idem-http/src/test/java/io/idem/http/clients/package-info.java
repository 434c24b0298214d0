/** Real HTTP clients against a protected handler: what their users see when something goes wrong. */
@NullMarked
package io.idem.http.clients;

import org.jspecify.annotations.NullMarked;
