/** Retry topics of a bean that is made after the start. */
@NullMarked
package io.idem.applications.kafka.lazyretrytopics;

import org.jspecify.annotations.NullMarked;
