/** Failed messages become dead letters of the queue. */
@NullMarked
package io.idem.applications.rabbit.norequeue;

import org.jspecify.annotations.NullMarked;
