/** An application of a user that is tested with a broker. */
@NullMarked
package io.idem.test.broker;

import org.jspecify.annotations.NullMarked;
