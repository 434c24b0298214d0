/** Auto-configuration of the storage of large results in a bucket. Open {@code IdemS3AutoConfiguration} first. */
@NullMarked
package io.idem.s3.autoconfigure;

import org.jspecify.annotations.NullMarked;
