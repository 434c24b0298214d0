/** One method that two connections feed, each of a tenant. */
@NullMarked
package io.idem.applications.rabbit.connectiontenant;

import org.jspecify.annotations.NullMarked;
