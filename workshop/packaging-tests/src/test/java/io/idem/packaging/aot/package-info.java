/** Applications processed ahead of time, as Spring Boot's build does it, and then started. */
@NullMarked
package io.idem.packaging.aot;

import org.jspecify.annotations.NullMarked;
