/** A transaction of the database around the work. */
@NullMarked
package io.idem.applications.rabbit.transactional;

import org.jspecify.annotations.NullMarked;
