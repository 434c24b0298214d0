/** Spring Boot auto-configuration of the consumer module; backs off for every bean an application defines. */
@NullMarked
package io.idem.consumer.autoconfigure;

import org.jspecify.annotations.NullMarked;
