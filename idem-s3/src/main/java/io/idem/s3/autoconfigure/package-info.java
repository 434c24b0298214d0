/** Puts the bucket in place in a Spring Boot application. */
@NullMarked
package io.idem.s3.autoconfigure;

import org.jspecify.annotations.NullMarked;
