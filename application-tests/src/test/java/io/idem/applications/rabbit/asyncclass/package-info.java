/** The whole class is asynchronous. */
@NullMarked
package io.idem.applications.rabbit.asyncclass;

import org.jspecify.annotations.NullMarked;
