/** Retry topics under lazy initialization. */
@NullMarked
package io.idem.applications.kafka.lazyinitretrytopics;

import org.jspecify.annotations.NullMarked;
