/** Clients that others have written, as they are used, against protected handlers. */
@NullMarked
package io.idem.http.clients;

import org.jspecify.annotations.NullMarked;
