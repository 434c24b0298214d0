@NullMarked
package io.idem.s3;

import org.jspecify.annotations.NullMarked;
