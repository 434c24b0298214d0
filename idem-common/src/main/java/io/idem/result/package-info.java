/**
 * What becomes of a result between the work and its record: codec, size limit, compression, encryption, and a place outside the
 * record for large ones; and the way back. For users who bring a codec, keys or a storage of their own.
 */
@NullMarked
package io.idem.result;

import org.jspecify.annotations.NullMarked;
