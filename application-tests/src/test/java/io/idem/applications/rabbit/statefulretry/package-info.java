/** Boot's retry, stateful: every attempt is a delivery. */
@NullMarked
package io.idem.applications.rabbit.statefulretry;

import org.jspecify.annotations.NullMarked;
