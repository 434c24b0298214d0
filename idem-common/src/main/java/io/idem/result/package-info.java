/**
 * What becomes of a result between the work and its record. For users who bring a codec, keys or a storage of their own: start with
 * {@link io.idem.result.ResultStorage} and {@link io.idem.result.ResultKeyProvider}.
 */
@NullMarked
package io.idem.result;

import org.jspecify.annotations.NullMarked;
