/**
 * Interfaces for users who bring a codec, keys or a storage of their own for results. Open
 * {@link io.idem.result.ResultStorage} and {@link io.idem.result.ResultKeyProvider} first.
 */
@NullMarked
package io.idem.result;

import org.jspecify.annotations.NullMarked;
