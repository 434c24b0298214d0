/**
 * Storage of large results in a bucket of S3 or of a store with its protocol. Open {@link io.idem.s3.S3ResultStorage}
 * first.
 */
@NullMarked
package io.idem.s3;

import org.jspecify.annotations.NullMarked;
