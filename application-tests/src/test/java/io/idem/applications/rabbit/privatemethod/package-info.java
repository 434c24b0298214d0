/** A private method. */
@NullMarked
package io.idem.applications.rabbit.privatemethod;

import org.jspecify.annotations.NullMarked;
