/** A second proxy creator. */
@NullMarked
package io.idem.applications.kafka.secondcreator;

import org.jspecify.annotations.NullMarked;
