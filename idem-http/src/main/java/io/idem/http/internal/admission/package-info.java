/**
 * The admission of requests for both web stacks: keys, fingerprints, routes, answers and refusals. Start with {@code RequestAdmission}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.admission;

import org.jspecify.annotations.NullMarked;
