/** A transaction of the database around the work. */
@NullMarked
package io.idem.applications.kafka.transactional;

import org.jspecify.annotations.NullMarked;
