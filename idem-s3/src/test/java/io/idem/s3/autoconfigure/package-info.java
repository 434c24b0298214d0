@NullMarked
package io.idem.s3.autoconfigure;

import org.jspecify.annotations.NullMarked;
