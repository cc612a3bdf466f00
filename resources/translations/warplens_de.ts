<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>warplens::gui::Preferences</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Search in the preferences</source>
        <translation>In den Einstellungen suchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>Keine Einstellung enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Of the whole window.</source>
        <translation>Des ganzen Fensters.</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>Beamer</translation>
    </message>
    <message>
        <source>Large type and strong lines</source>
        <translation>Große Schrift und kräftige Linien</translation>
    </message>
    <message>
        <source>For a lecture hall. Keys that are pressed are shown.</source>
        <translation>Für den Hörsaal. Gedrückte Tasten werden angezeigt.</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Zoom and move together</source>
        <translation>Gemeinsam zoomen und verschieben</translation>
    </message>
    <message>
        <source>Linked panes show the same place of every picture.</source>
        <translation>Verknüpfte Ansichten zeigen in jedem Bild dieselbe Stelle.</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>Run and count at once</source>
        <translation>Sofort rechnen und zählen</translation>
    </message>
    <message>
        <source>Runs the variants that are shown, and counts on the page Why, without being asked (F5, F6).</source>
        <translation>Führt die gezeigten Varianten aus und zählt auf der Seite Why, ohne gefragt zu werden (F5, F6).</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>Tasten ändern</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Every command can have a key of your own.</source>
        <translation>Jeder Befehl kann eine eigene Taste bekommen.</translation>
    </message>
    <message>
        <source>shortcuts keyboard</source>
        <translation>Tastenkürzel Tastatur</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>German, this page alone so far</source>
        <translation>Deutsch, bisher nur diese Seite</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Of what is not translated yet the English text is shown.</source>
        <translation>Was noch nicht übersetzt ist, erscheint auf Englisch.</translation>
    </message>
    <message>
        <source>Keep finished comparisons</source>
        <translation>Fertige Vergleiche aufbewahren</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>On this computer only, to find what became slower. What is kept stays.</source>
        <translation>Nur auf diesem Rechner, um zu finden, was langsamer wurde. Was aufbewahrt ist, bleibt.</translation>
    </message>
    <message>
        <source>Forget them</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Their names and small pictures in the menu File.</source>
        <translation>Namen und kleine Bilder im Menü Datei.</translation>
    </message>
    <message>
        <source>History is off; see the History window.</source>
        <translation>Der Verlauf ist aus; siehe das Fenster History.</translation>
    </message>
</context>
</TS>
