/** A second proxy creator. */
@NullMarked
package io.idem.applications.rabbit.secondcreator;

import org.jspecify.annotations.NullMarked;
