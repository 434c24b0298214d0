/** A template of its own, with confirms. */
@NullMarked
package io.idem.applications.rabbit.owntemplate;

import org.jspecify.annotations.NullMarked;
