"""Tools of the sections: tables whose buses are counted, processes to measure, clocks."""
