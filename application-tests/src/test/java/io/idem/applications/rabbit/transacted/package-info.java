/** A transacted channel. */
@NullMarked
package io.idem.applications.rabbit.transacted;

import org.jspecify.annotations.NullMarked;
