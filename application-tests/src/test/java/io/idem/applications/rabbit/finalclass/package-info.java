/** A final class. */
@NullMarked
package io.idem.applications.rabbit.finalclass;

import org.jspecify.annotations.NullMarked;
