/** Large results in a bucket of S3 or a store that speaks its protocol. */
@NullMarked
package io.idem.s3;

import org.jspecify.annotations.NullMarked;
