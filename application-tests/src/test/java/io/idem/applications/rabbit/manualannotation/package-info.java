/** MANUAL on the annotation alone. */
@NullMarked
package io.idem.applications.rabbit.manualannotation;

import org.jspecify.annotations.NullMarked;
