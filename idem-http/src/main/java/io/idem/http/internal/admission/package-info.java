/**
 * From a request to its admission: key, fingerprint, route and refusal, for both web stacks. Start with {@code RequestAdmission}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.admission;

import org.jspecify.annotations.NullMarked;
