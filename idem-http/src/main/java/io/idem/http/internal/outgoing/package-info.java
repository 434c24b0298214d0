/**
 * The hosts whose outgoing calls get a key: {@code OutgoingHosts}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.outgoing;

import org.jspecify.annotations.NullMarked;
