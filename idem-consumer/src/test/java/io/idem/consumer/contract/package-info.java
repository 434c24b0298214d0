/** What every transport's adapter must do, and the application it is asked to do it in. */
@NullMarked
package io.idem.consumer.contract;

import org.jspecify.annotations.NullMarked;
