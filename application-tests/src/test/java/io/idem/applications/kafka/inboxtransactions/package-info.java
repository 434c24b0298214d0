/** An inbox inside transactions of the container. */
@NullMarked
package io.idem.applications.kafka.inboxtransactions;

import org.jspecify.annotations.NullMarked;
