/** Classes of another package than that of their children. */
@NullMarked
package io.idem.consumer.guard.elsewhere;

import org.jspecify.annotations.NullMarked;
